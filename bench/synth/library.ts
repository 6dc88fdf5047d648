import { measure } from './measure';
import { addTenant } from './platform';

measure(addTenant);
