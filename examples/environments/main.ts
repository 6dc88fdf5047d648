// Three environments of one definition, each an app that writes a folder of its own: `cdk8s synth` gives dist/dev, dist/stage and
// dist/prod, and `ENVIRONMENT=prod cdk8s synth` one of them alone, in dist.
import { join } from 'path';
import { App, Chart } from 'cdk8s';
import {
  ControlPlanePlatform, ExposureReport, IngressController, IngressExposedControlPlane, TcpProxyAddon, TenantCharts, TenantDelivery,
} from 'cdk8s-hosted-control-plane';

/** All that differs between environments. */
interface Environment {
  readonly domain: string;
  readonly kubernetesVersion: string;
  readonly replicas: number;
  readonly tenants: string[];
}

// A new version goes from left to right, and so does a new tenant.
const ENVIRONMENTS: { [name: string]: Environment } = {
  dev: { domain: 'dev.example.com', kubernetesVersion: '1.36.2', replicas: 1, tenants: ['team-a', 'team-b'] },
  stage: { domain: 'stage.example.com', kubernetesVersion: '1.36.2', replicas: 2, tenants: ['team-a'] },
  prod: { domain: 'example.com', kubernetesVersion: '1.35.6', replicas: 3, tenants: ['team-a'] },
};

/** The definition, which knows no environment by its name. */
function platform(app: App, { domain, kubernetesVersion, replicas, tenants: names }: Environment): void {
  const management = new Chart(app, 'management');
  const tenants = new TenantCharts(management, 'tenants', { delivery: TenantDelivery.sync() });
  for (const name of names) {
    const controlPlane = new IngressExposedControlPlane(management, name, {
      namespace: 'tenants',
      kubernetesVersion,
      domain,
      konnectivity: {},
      platform: ControlPlanePlatform.kamaji({ replicas, coreDns: {}, kubeProxy: {} }),
      controller: IngressController.haproxy({ ingressClassName: 'haproxy' }),
    });
    new TcpProxyAddon(tenants.of(controlPlane), 'tcp-proxy', { controlPlane });
  }
  new ExposureReport(app, 'report');
}

const output = process.env.CDK8S_OUTDIR ?? 'dist';
const chosen = process.env.ENVIRONMENT;
if (chosen !== undefined && !(chosen in ENVIRONMENTS)) {
  throw new Error(`ENVIRONMENT: "${chosen}" is none of ${Object.keys(ENVIRONMENTS).join(', ')}`);
}

export const apps: { [environment: string]: App } = {};
for (const name of chosen === undefined ? Object.keys(ENVIRONMENTS) : [chosen]) {
  apps[name] = new App({ outdir: chosen === undefined ? join(output, name) : output });
  platform(apps[name], ENVIRONMENTS[name]);
  apps[name].synth();
}
