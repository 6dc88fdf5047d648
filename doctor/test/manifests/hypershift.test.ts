import { HypershiftApiPublishing, IngressController } from '../../../src';
import { HypershiftTenant, HypershiftTenantProps } from '../../../test/platforms/hypershift/hypershift-tenant';
import { checkFiles } from '../support/manifests';

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

const AT_EDGE = { hostname: 'edge.example.com' };
const LOAD_BALANCER = { apiServerPublishing: HypershiftApiPublishing.LOAD_BALANCER };

describe('the doctor has nothing to say of a HostedCluster of this library', () => {
  test.each<[string, HypershiftTenantProps]>([
    ['with a port for the API server', {}],
    ['with ports alone', {
      controlPlane: {
        ...AT_EDGE,
        konnectivity: { ...AT_EDGE, port: 30002 },
        tlsServices: [{ name: 'oauth', ...AT_EDGE, port: 30003 }, { name: 'ignition-server', ...AT_EDGE, port: 30004 }],
      },
    }],
    ['with a load balancer', { platform: LOAD_BALANCER, controlPlane: { port: undefined } }],
    ['with a load balancer beside OpenShift\'s router', { platform: LOAD_BALANCER, controller: IngressController.openshift(), controlPlane: { port: undefined } }],
  ])('%s', (_, props) => {
    const text = new HypershiftTenant(props).manifests().map(manifest => JSON.stringify(manifest)).join('\n---\n');
    const { findings, controlPlanes } = checkFiles({ 'manifests.yaml': text });
    expect(findings).toEqual([]);
    expect(controlPlanes).toBe(1);
  });
});
