import { Option } from 'commander';
import { OUTPUTS } from './options';

/** The flag that both commands have. */
export function outputOption(): Option {
  return new Option('-o, --output <format>', OUTPUTS.join(', ')).default('text');
}
