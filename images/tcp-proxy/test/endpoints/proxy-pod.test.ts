import { proxyPod } from '../../src/endpoints/proxy-pod';

const pod = (status: object, metadata: object = {}) => proxyPod({ metadata: { name: 'a', ...metadata }, status } as never);

describe('a proxy pod', () => {
  test('has the addresses of its node, of both families', () => {
    expect(pod({ hostIP: '10.0.0.1', hostIPs: [{ ip: 'FD00::1' }, { ip: '10.0.0.1' }] }).hostIps).toEqual(['10.0.0.1', 'fd00::1']);
  });

  test('has the one address that Kubernetes before 1.29 shows', () => {
    expect(pod({ hostIP: '10.0.0.1' }).hostIps).toEqual(['10.0.0.1']);
  });

  test('has no address that cannot be an endpoint, and none before it is scheduled', () => {
    expect(pod({ hostIPs: [{ ip: '127.0.0.1' }, { ip: '169.254.0.1' }, { ip: 'fe80::1' }] }).hostIps).toEqual([]);
    expect(pod({}).hostIps).toEqual([]);
  });

  test('is ready by its condition', () => {
    expect(pod({ conditions: [{ type: 'Ready', status: 'True' }] }).ready).toBe(true);
    expect(pod({ conditions: [{ type: 'Ready', status: 'Unknown' }, { type: 'Initialized', status: 'True' }] }).ready).toBe(false);
    expect(pod({}).ready).toBe(false);
  });

  test('lives until it is being deleted or is finished', () => {
    expect(pod({ phase: 'Pending' }).alive).toBe(true);
    expect(pod({ phase: 'Running' }, { deletionTimestamp: '2026-01-01T00:00:00Z' }).alive).toBe(false);
    expect(pod({ phase: 'Failed' }).alive).toBe(false);
    expect(pod({ phase: 'Succeeded' }).alive).toBe(false);
  });
});
