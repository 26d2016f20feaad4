import { findPackageJSON } from 'node:module';
import path from 'node:path';

const description = findPackageJSON(import.meta.url);
if (description === undefined) throw new Error('The folder of the project has no package.json.');

/** The folder of the project, whether its sources run or the files they are bundled into. */
export const root = path.dirname(description);
