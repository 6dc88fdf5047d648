import { HOSTS, K0smotronTenant } from './k0smotron-harness';
import { ControlPlanePlatform } from '../../../src';

/** The ConfigMaps that k0smotron makes for a control plane, as the library says. */
function configMaps(kubernetesVersion: string): string[] {
  const platform = ControlPlanePlatform.k0smotron();
  const { controlPlane: { exposure, operatorRoutes } } = new K0smotronTenant(platform, { ...HOSTS, kubernetesVersion });
  return platform.operatorObjects(exposure, operatorRoutes, kubernetesVersion).filter(({ kind }) => kind === 'ConfigMap').map(({ name }) => name);
}

describe('the ConfigMap with the konnectivity agents', () => {
  test.each(['1.34.3', '1.34.9'])('is k0smotron\'s with k0s %s, which brings none behind an ingress', version => {
    expect(configMaps(version)).toContain('kmc-tenant-01-ingress-konnectivity');
  });

  test.each(['1.35.1', '1.35.6+k0s.1', '1.36.1'])('is not there with k0s %s, which brings the agents itself', version => {
    expect(configMaps(version)).not.toContain('kmc-tenant-01-ingress-konnectivity');
    expect(configMaps(version)).toContain('kmc-tenant-01-ingress');
  });
});
