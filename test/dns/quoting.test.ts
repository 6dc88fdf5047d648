import * as fc from 'fast-check';
import { tenantDns } from './support/tenants';
import { DnsOutput, DnsTarget } from '../../src';
import { csvField } from '../../src/dns/infoblox';
import { powerShellString } from '../../src/dns/windows-server';
import { escapeLabel, mailboxName } from '../../src/dns/zone-file';

const TEXT = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom('\'', '\u2018', '\u2019', '"', ',', '\n', '\r', '$', '`', '\\', ' ', 'a') }));

describe('a text comes out of the quotes as it went in', () => {
  test('in PowerShell, whose strings also end at typographic quotes', () => {
    fc.assert(fc.property(TEXT, TEXT, (a, b) => {
      const [first, rest] = readPowerShellString(`${powerShellString(a)} ${powerShellString(b)}`);
      expect(first).toBe(a);
      expect(readPowerShellString(rest.slice(1))).toEqual([b, '']);
    }));
  });

  test('in CSV', () => {
    fc.assert(fc.property(fc.array(fc.array(TEXT, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 4 }), rows => {
      expect(readCsv(rows.map(row => `${row.map(csvField).join(',')}\r\n`).join(''))).toEqual(rows);
    }));
  });

  test('in zone files', () => {
    fc.assert(fc.property(fc.string({ minLength: 1, maxLength: 63, unit: 'grapheme-ascii' }), label => {
      const escaped = escapeLabel(label);
      expect(escaped).toMatch(/^([A-Za-z0-9_-]|\\\d{3})+$/);
      expect(escaped.replace(/\\(\d{3})/g, (_, code) => String.fromCharCode(Number(code)))).toBe(label);
    }));
  });
});

describe('a text that has no place in a name', () => {
  const NAME = fc.oneof(
    fc.string(),
    fc.string().map(text => `a${text}.k8s.example.com`),
    fc.constantFrom('a/../b.k8s.example.com', 'a\nserver=/#/10.6.6.6', 'a.k8s.example.com,10.6.6.6', '\'; Remove-Item *; \'', '$(x).k8s.example.com', '{{ .Zone }}'),
  );

  test('is refused or harmless in every output', () => {
    fc.assert(fc.property(NAME, NAME, (name, canonical) => {
      let dns;
      try {
        dns = tenantDns({
          additionalNames: [{ name, target: DnsTarget.addresses(['10.0.0.1']) }, { name: 'b.k8s.example.com', target: DnsTarget.canonicalName(canonical) }],
        });
      } catch (error: any) {
        expect(error.message).toMatch(/^(additionalNames|DnsTarget\.canonicalName: canonicalName|zones|target)/);
        return;
      }
      for (const { name: field } of dns.records) {
        expect(field).toMatch(/^(\*\.)?[a-z0-9.-]+$/);
      }
      const zone = DnsOutput.bind().files(dns)[0].text;
      expect(zone.trim().split('\n').slice(1).filter(line => !/^(@|[*a-z0-9.-]+) 300 IN (A|AAAA|CNAME) [a-z0-9.:-]+$/.test(line))).toEqual([]);
      const script = DnsOutput.windowsServer().files(dns)[0].text;
      expect(script.split('\r\n').filter(line => line.startsWith('Set-Record ')).filter(line => !/^Set-Record( ('[^']*'|\d+|@\([^()]*\))){6}$/.test(line)))
        .toEqual([]);
    }));
  });

  test('is refused or harmless in dnsmasq\'s file', () => {
    fc.assert(fc.property(NAME, name => {
      try {
        const [{ text }] = DnsOutput.dnsmasq({ answerWholeZones: true })
          .files(tenantDns({ additionalNames: [{ name, target: DnsTarget.addresses(['10.0.0.1', 'fd00::1']) }] }));
        expect(text.trim().split('\n').filter(line => !/^(local=\/[a-z0-9.-]+\/|address=\/\*\.[a-z0-9.-]+\/[0-9a-f.:]+|host-record=[a-z0-9.-]+,[0-9a-f.:]+,300)$/.test(line)))
          .toEqual([]);
      } catch (error: any) {
        expect(error.message).toMatch(/^(additionalNames|zones)/);
      }
    }));
  });

  test.each(['', 'hostmaster', '@example.com', 'a b@example.com', 'a\n@example.com', 'hostmaster@exa mple.com', 'ä@example.com', `${'a'.repeat(64)}@example.com`])(
    'is refused as a mail address: %j', mailbox => {
      expect(() => mailboxName('contact', mailbox)).toThrow(/^contact: .* is not a mail address\. Give the address of who runs the zone/);
    });

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', 'two\nlines'])('is refused as a comment that spreadsheets calculate: %j', comment => {
    expect(() => DnsOutput.infoblox({ comment })).toThrow(/^DnsOutput\.infoblox: comment: .* spreadsheets/);
  });

  test.each(['../zone', '.hidden', 'a/b', ''])('is refused as a file name: %j', fileName => {
    expect(() => DnsOutput.coreDns({ fileName })).toThrow(/^DnsOutput\.coreDns: fileName: .* is not the name of a file/);
    expect(() => DnsOutput.dnsmasq({ fileName })).toThrow(/^DnsOutput\.dnsmasq: fileName: .* is not the name of a file/);
  });
});

/** Reads a single-quoted string as PowerShell does: what it holds and what follows it. */
function readPowerShellString(source: string): [string, string] {
  const isQuote = (character: string) => /['\u2018-\u201b]/.test(character);
  expect(isQuote(source[0])).toBe(true);
  let text = '';
  for (let i = 1; i < source.length; i++) {
    if (!isQuote(source[i])) {
      text += source[i];
    } else if (i + 1 < source.length && isQuote(source[i + 1])) {
      text += source[i++];
    } else {
      return [text, source.slice(i + 1)];
    }
  }
  throw new Error(`no end of the string ${source}`);
}

/** Reads a CSV file by RFC 4180. */
function readCsv(source: string): string[][] {
  const rows: string[][] = [];
  for (let i = 0; i < source.length;) {
    const row: string[] = [];
    for (;;) {
      let field = '';
      if (source[i] === '"') {
        for (i++; source[i] !== '"' || source[i + 1] === '"'; i++) {
          field += source[i];
          i += source[i] === '"' ? 1 : 0;
        }
        i++;
      } else {
        while (source[i] !== ',' && source[i] !== '\r') {
          field += source[i++];
        }
      }
      row.push(field);
      if (source[i] !== ',') {
        expect(source.slice(i, i + 2)).toBe('\r\n');
        i += 2;
        break;
      }
      i++;
    }
    rows.push(row);
  }
  return rows;
}
