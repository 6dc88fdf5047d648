import { HaproxyConfig } from '../../src/haproxy/config';
import { checkConfig, describeWithHaproxy } from '../support/haproxy';

describe('HaproxyConfig', () => {
  test('renders sections and directives in the order in which they were added', () => {
    const config = new HaproxyConfig();
    config.section('global').add('nbthread', 2);
    config.section('defaults').comment('Bytes, not requests.').add('mode', 'tcp');
    config.section('backend', 'api').add('server', 'a b', '127.0.0.1:443');
    expect(config.render()).toBe(`global
  nbthread 2

defaults
  # Bytes, not requests.
  mode tcp

backend api
  server 'a b' 127.0.0.1:443
`);
  });

  test('leaves out words that are undefined', () => {
    const config = new HaproxyConfig();
    config.section('global').add('maxconn', 10, undefined);
    expect(config.render()).toBe('global\n  maxconn 10\n');
  });

  test('leaves out a directive whose condition does not hold', () => {
    const config = new HaproxyConfig();
    config.section('global').addIf(false, 'maxconn', 10).addIf(true, 'nbthread', 1);
    expect(config.render()).toBe('global\n  nbthread 1\n');
  });

  test('refuses a second section of the same keyword and name', () => {
    const config = new HaproxyConfig();
    config.section('backend', 'api');
    config.section('frontend', 'api');
    expect(() => config.section('backend', 'api')).toThrow('haproxy: "backend api" is a section that exists already');
  });

  test('refuses a line break in a value', () => {
    expect(() => new HaproxyConfig().section('global').add('maxconn', '1\n  daemon')).toThrow('control character');
  });

  test('every line of a comment is one', () => {
    const config = new HaproxyConfig();
    config.section('global').comment('one\nmaxconn x\r\nmaxconn y').add('maxconn', 1);
    expect(config.render().split('\n').filter(line => /^\s*maxconn/.test(line))).toEqual(['  maxconn 1']);
  });
});

describeWithHaproxy('HaproxyConfig, read by HAProxy', () => {
  test('a comment cannot reach into the next line', async () => {
    const config = new HaproxyConfig();
    config.section('global').comment('ends with a backslash \\').add('no-such-keyword');
    expect(await checkConfig(config.render())).toContain("unknown keyword 'no-such-keyword'");
  });
});
