import { doctor } from './support/doctor';
import { paintFor } from '../../cli/palette';
import { printable } from '../../cli/printable';

describe('wrong usage of doctor', () => {
  test.each([
    [['live'], 'host is missing: name the host of the API, or give --manifests, --kubeconfig or --tenant-kubeconfig'],
    [['live', 'https://acme.example.com'], 'host "https://acme.example.com": is not a host name'],
    [['live', 'acme.example.com:443'], 'is not a host name, write it without scheme and port'],
    [['live', 'acme.example.com', '--port', '0'], '--port "0": is not a port'],
    [['live', 'acme.example.com', '--timeout', '5'], '--timeout "5": is not a duration'],
    [['live', 'acme.example.com', '--timeout', '0s'], '--timeout "0s": is no time'],
    [['live', 'acme.example.com', '--timeout', '1h'], '--timeout "1h": is longer than 5 minutes'],
    [['live', 'acme.example.com', '--output', 'xml'], '--output "xml": is not a format, choose text, json or sarif'],
    [['live', 'acme.example.com', '--concurrency', '0'], '--concurrency "0": is not a number from 1 to 64'],
    [['live', 'acme.example.com', '--concurrency', '65'], '--concurrency "65": is not a number from 1 to 64'],
    [['live', 'acme.example.com', '--ca-file', '/no/such/file'], '--ca-file "/no/such/file": cannot be read (ENOENT)'],
    [['live', 'acme.example.com', '--ca-file', __filename], 'holds no certificate'],
    [['live', 'acme.example.com', '--tenant-kubeconfig', __filename], '--tenant-kubeconfig "'],
    [['live', 'acme.example.com', '--tenant-kubeconfig', __filename], 'is no kubeconfig'],
    [['live', 'acme.example.com', '--cluster-id', 'x'], '--gateway-address is missing'],
    [['live', 'acme.example.com', '--gateway-address', 'x:1'], '--cluster-id is missing'],
    [['live', 'acme.example.com', '--gateway-address', 'x', '--cluster-id', 'x'], '--gateway-address "x": is not host:port'],
    [['live', 'acme.example.com', '--connect-to', 'x'], '--connect-to "x": is not an IP address'],
    [['live', 'acme.example.com', '--resolver', 'x:53'], '--resolver "x:53": is not the address of a DNS server'],
    [['live', 'acme.example.com', '--tlv-type', '300'], '--tlv-type "300": is not a type'],
    [['live', 'acme.example.com', '--surprise'], "unknown option '--surprise'"],
    [['live', '--all'], '--all chooses among control planes: give --manifests or --kubeconfig too'],
    [['live', '--tenant', 'tenants/acme'], '--tenant chooses among control planes: give --manifests or --kubeconfig too'],
    [['live', '--tenant', 'acme', '--manifests', '.'], '--tenant "acme": is not a tenant, write it like <namespace>/<name>'],
    [['live', '--manifests', '.', '--all', '--tenant', 'tenants/acme'], '--all and --tenant: give one of them'],
    [['live', '--manifests', '.', '--all', 'acme.example.com'], '--all and one host: give one of them'],
    [['live', '--manifests', '.', '--all', '--tenant-kubeconfig', 'x'], '--all and one host: give one of them'],
    [['live', '--manifests', '.', '--kubeconfig', 'x'], '--manifests and --kubeconfig both say which control planes there are'],
    [['live', '--context', 'x'], '--context is of a --kubeconfig: give that too'],
    [['live', '--manifests', '/no/such/folder'], '"/no/such/folder": does not exist'],
    [['manifests'], "missing required argument 'path'"],
    [['manifests', '/no/such/folder'], '"/no/such/folder": does not exist'],
    [['manifests', '.', '--output', 'xml'], '--output "xml": is not a format, choose text, json or sarif'],
    [['manifests', '.', '--all'], "unknown option '--all'"],
  ])('%j is told, with exit code 2', async (args, message) => {
    const { code, stdout, stderr } = await doctor(args);
    expect(stderr).toContain(message);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });
});

describe('words that are no command of doctor', () => {
  test.each([
    ['a typo', ['manifest', 'dist'], 'there is no command "manifest": write doctor manifests dist'],
    ['another typo', ['manfests', 'my dist'], "there is no command \"manfests\": write doctor manifests 'my dist'"],
    ['a typo of the short one', ['lve', '--all'], 'there is no command "lve": write doctor live --all'],
    ['the former spelling', ['acme.example.com', '--ca-file', 'ca.crt'], 'network checks are "doctor live" now: write doctor live acme.example.com --ca-file ca.crt '],
    ['the former spelling with flags alone', ['--manifests', 'dist'], 'write doctor live --manifests dist ("doctor manifests" compares YAML'],
    ['flags in front of the host', ['--port', '6443', 'acme.example.com'], 'write doctor live --port 6443 acme.example.com '],
    ['the former name of a flag', ['--kubeconfig', 'acme.conf', '--kubeconfig=x'], 'write doctor live --tenant-kubeconfig acme.conf --tenant-kubeconfig=x '],
    ['a path', [__filename], 'to compare manifests, write doctor manifests /'],
    ['anything else', ['what is this?'], 'choose doctor manifests <path…>, which compares YAML, or doctor live <host>, which goes over the network'],
  ])('%s: says what to write', async (_, args, message) => {
    const { code, stdout, stderr } = await doctor(args);
    expect(stderr).toContain(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  test('none at all: shows the help, and is wrong usage', async () => {
    const { code, stderr } = await doctor([]);
    expect(stderr).toMatch(/^Usage: .*doctor .*manifests .*live /s);
    expect(code).toBe(2);
  });

  test('a wish for help is not', async () => {
    const { code, stdout } = await doctor(['--help']);
    expect(stdout).toMatch(/^Usage: .*manifests .*live .*Exit codes: 0 healthy/s);
    expect(stdout).not.toContain('otherwise');
    expect(code).toBe(0);
    expect((await doctor(['live', '--help'])).stdout).toMatch(/--tenant-kubeconfig/);
  });
});

describe('what is shown', () => {
  test('has colours on terminals alone', () => {
    expect(paintFor({ isTTY: true }, true, {})('bad', 'x')).toBe('\u001b[31mx\u001b[0m');
    expect(paintFor({ isTTY: true }, false, {})('bad', 'x')).toBe('x');
    expect(paintFor({ isTTY: true }, true, { NO_COLOR: '1' })('bad', 'x')).toBe('x');
    expect(paintFor({ isTTY: true }, true, { TERM: 'dumb' })('bad', 'x')).toBe('x');
    expect(paintFor({}, true, {})('bad', 'x')).toBe('x');
  });

  test('cannot steer a terminal and has an end', () => {
    expect(printable('a\u001b[2Jb\nc\u009bd\u202ee\u200bf')).toBe('a?[2Jb c?d?e?f');
    expect(printable('x'.repeat(10_000))).toHaveLength(501);
  });
});
