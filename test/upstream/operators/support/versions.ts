import { mkdtempSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { App, Chart } from 'cdk8s';
import { Operator } from './operator';
import {
  ControlPlanePlatform, IngressController, IngressExposedControlPlane, KubernetesServicePath, TenantControlPlaneProps, Warnings,
} from '../../../../src';
import { stopParts } from '../../../data-path/support/parts';
import { Cluster } from '../../../e2e/support/cluster';

const NAMESPACE = 'tenants';
/** Newer than any that there is. */
const VERSIONS = Array.from({ length: 10 }, (_, i) => `1.${32 + i}.0`);

export interface VersionsTestProps {
  /** As its makers write it. */
  readonly system: string;
  platform(props: TenantControlPlaneProps): ControlPlanePlatform;
  start(cluster: Cluster): Promise<Operator>;
}

/** What the webhook of a real operator says of versions of Kubernetes, beside what synthesis says. */
export function describeVersions({ system, platform, start }: VersionsTestProps): void {
  describe(`versions of Kubernetes under ${system}`, () => {
    afterEach(async () => {
      await stopParts();
      jest.restoreAllMocks();
    });

    /** @returns the custom resource and what is said against it; the latter alone where it is refused */
    function synthesize(kubernetesVersion: string, props: TenantControlPlaneProps): { readonly resource?: any; readonly said: string[] } {
      const chart = new Chart(new App({ outdir: mkdtempSync(join(tmpdir(), 'dist-')) }), 'management');
      try {
        new IngressExposedControlPlane(chart, 'tenant-01', {
          namespace: NAMESPACE,
          kubernetesVersion,
          domain: 'example.com',
          nodesReachable: true,
          kubernetesService: KubernetesServicePath.none({ reason: 'no cluster is behind it' }),
          platform: platform(props),
          controller: IngressController.haproxy(),
        });
      } catch (error) {
        return { said: [(error as Error).message] };
      }
      return { resource: chart.toJson().find(({ kind }: any) => kind === 'TenantControlPlane'), said: Warnings.of(chart).filter(text => text.includes('kubernetesVersion')) };
    }

    test('are taken without a word where the webhook admits them, and nowhere else', async () => {
      jest.spyOn(process, 'emitWarning').mockImplementation();
      const cluster = await Cluster.start({ behindIngress: false });
      await start(cluster);
      await cluster.apply([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } }]);
      const admitted: string[] = [];
      for (const version of VERSIONS) {
        const { resource } = synthesize(version, { newestKubernetesVersion: VERSIONS[VERSIONS.length - 1] });
        const answer = await cluster.apply([resource], '--dry-run=server').catch(error => (error as Error).message);
        if (/created \(server dry run\)/.test(answer)) admitted.push(version);
        else expect(answer).toMatch(/denied the request: .* Kubernetes version greater than the supported one/);
      }
      expect(VERSIONS.filter(version => synthesize(version, {}).said.length === 0)).toEqual(admitted);
      expect(admitted.length).toBeGreaterThan(0);
      expect(admitted.length).toBeLessThan(VERSIONS.length);
    }, 300_000);
  });
}
