import { readdirSync, readFileSync, writeFileSync } from 'fs';
import { join } from 'path';

/*
 * Takes the source maps out of the compiled package. jsii writes each into the file itself, with the source: more than half of
 * what Node.js reads when a tenant's modules are loaded. The code is that of the source, line by line but for types.
 */
const LIB = join(__dirname, '..', 'lib');

for (const file of readdirSync(LIB, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.js'))) {
  const path = join(LIB, file);
  writeFileSync(path, readFileSync(path, 'utf8').replace(/\n\/\/# sourceMappingURL=data:[^\n]*/, ''));
}
