import { describeTenantControlPlanes } from './support/suite';
import { ControlPlanePlatform } from '../../../src';

describeTenantControlPlanes({
  system: 'Steward',
  platformType: 'steward',
  name: 'steward',
  group: 'steward.butlerlabs.dev',
  // Of scripts/operator.sh.
  folder: process.env.STEWARD_FOLDER!,
  leaves: {
    route: 'tenant-01-konnectivity',
    note: 'the TLSRoute tenant-01-konnectivity stays when a control plane with operatorRoutes of its Gateway gives up konnectivity',
  },
  platform: props => ControlPlanePlatform.steward({ coreDns: {}, kubeProxy: {}, ...props }),
});
