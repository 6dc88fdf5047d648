import { describeTenantControlPlanes } from './support/suite';
import { ControlPlanePlatform } from '../../../src';

describeTenantControlPlanes({
  system: 'Kamaji',
  platformType: 'kamaji',
  name: 'kamaji',
  group: 'kamaji.clastix.io',
  // Of scripts/operator.sh.
  folder: process.env.KAMAJI_FOLDER!,
  args: ['--disable-telemetry'],
  platform: props => ControlPlanePlatform.kamaji({ coreDns: {}, kubeProxy: {}, ...props }),
});
