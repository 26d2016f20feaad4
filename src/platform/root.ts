import { findPackageJSON } from 'node:module';
import path from 'node:path';

const description = findPackageJSON(import.meta.url);
if (description === undefined) throw new Error('The folder of the project has no package.json.');

/** Path of the project's root folder. Also correct in bundled code. */
export const root = path.dirname(description);
