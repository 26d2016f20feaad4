import { createHash } from 'node:crypto';
import { serverUrl } from './template.ts';

// Some files ask every operation the same questions, or tell many histories. The embedded database proves all of them; on a server, which speaks
// the same SQL to the same code, every third operation and half of the histories are enough. This is the one place that says so.

/** On a server one operation in this many is asked; `TEST_SAMPLE=1` asks all. */
const oneIn = serverUrl() === undefined ? 1 : Number(process.env['TEST_SAMPLE'] ?? 3);

/** How many random histories are told unless a number is asked for: on a server the first half of them. */
export const sampledHistories = (usual: number): number => (oneIn === 1 ? usual : Math.ceil(usual / 2));

/** Whether an operation is among those asked: by its name alone, so that it is the same ones in every run. */
export const isSampled = (name: string): boolean =>
  createHash('sha256').update(name).digest().readUInt32BE() % oneIn === 0;
