import { readFileSync } from 'fs';
import { join } from 'path';
import { SYNC_DEFAULTS } from '../../src/agent/contract/commands';
import { defaultSyncResources, SYNC_DELIVERY_DEFAULTS } from '../../src/delivery/sync-pod';
import { defaultGatewayResources, SHARED_GATEWAY_DEFAULTS } from '../../src/shared-gateway/settings';
import { defaultTcpProxyResources, TCP_PROXY_DEFAULTS } from '../../src/tcp-proxy/settings';

const source = (file: string) => readFileSync(join(__dirname, '..', '..', 'src', file), 'utf8');

/** The defaults that the docstrings of properties tell. */
function told(file: string): { [property: string]: string } {
  return Object.fromEntries([...source(file).matchAll(/\* @default (\S+)\n +\*\/\n +readonly (\w+)\?:/g)].map(([, value, property]) => [property, value]));
}

test.each([
  ['tcp-proxy/tcp-proxy-addon-props.ts', TCP_PROXY_DEFAULTS],
  ['shared-gateway/gateway-props.ts', SHARED_GATEWAY_DEFAULTS],
  ['delivery/sync-props.ts', { ...SYNC_DEFAULTS, ...SYNC_DELIVERY_DEFAULTS }],
])('the docstrings of %s tell the defaults that hold', (file, defaults) => {
  const docstrings = told(file);
  for (const [property, value] of Object.entries(defaults)) {
    expect([property, docstrings[property]]).toEqual([property, String(value)]);
  }
});

test('the docstring of resources tells the requests and limits that hold', () => {
  const text = source('agent/agent-workload-props.ts').replace(/\s*\n\s*\*\s*/g, ' ');
  for (const [use, { requests, limits }] of [['tcp-proxy', defaultTcpProxyResources()], ['gateway', defaultGatewayResources()], ['sync', defaultSyncResources()]] as const) {
    const [, ...documented] = new RegExp(`${use}: requests (\\w+)(?: CPU)? and (\\w+)(?: memory)?, limit (\\w+)`).exec(text) ?? [];
    expect([use, ...documented]).toEqual([use, requests?.cpu, requests?.memory, limits?.memory]);
  }
});
