import { describeTenantControlPlanes } from './support/suite';
import { ControlPlanePlatform } from '../../../src';

describeTenantControlPlanes({
  system: 'Steward',
  platformType: 'steward',
  name: 'steward',
  group: 'steward.butlerlabs.dev',
  // Of scripts/operator.sh.
  folder: process.env.STEWARD_FOLDER!,
  platform: props => ControlPlanePlatform.steward({ coreDns: {}, kubeProxy: {}, ...props }),
});
