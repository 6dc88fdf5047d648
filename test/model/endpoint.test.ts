import { Endpoint } from '../../src';

describe('Endpoint', () => {
  test.each([
    ['api.example.com', 443, 'api.example.com:443', 'https://api.example.com:443'],
    ['10.0.0.1', 6443, '10.0.0.1:6443', 'https://10.0.0.1:6443'],
    ['fd00::1', 443, '[fd00::1]:443', 'https://[fd00::1]:443'],
  ])('joins %s and %i', (host, port, text, url) => {
    const endpoint = new Endpoint(host, port);
    expect([endpoint.host, endpoint.port]).toEqual([host, port]);
    expect(endpoint.toString()).toBe(text);
    expect(endpoint.url).toBe(url);
  });

  test('refuses what is not a port', () => {
    expect(() => new Endpoint('api.example.com', 0)).toThrow(new Error('port: 0 is not a port. Give a whole number from 1 to 65535.'));
  });
});
