import { CA_ROTATION } from './ca-rotation';
import { CERTIFICATES } from './certificates';
import { DELIVERY } from './delivery';
import { INSTALLATION } from './installation';
import { REGISTRATION } from './registration';
import type { Scenario } from './scenario';
import { TUNNEL_SCENARIO } from './tunnel';

/** What is simulated with one fault at a time. */
export const SCENARIOS: readonly Scenario[] = [INSTALLATION, CA_ROTATION, TUNNEL_SCENARIO, DELIVERY, CERTIFICATES, REGISTRATION];
