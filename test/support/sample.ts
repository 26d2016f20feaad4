import { createHash } from 'node:crypto';
import { serverUrl } from './template.ts';

// Some files ask every operation the same questions, or tell many histories. The embedded database answers all of them; a server, which speaks the
// same SQL to the same code, some. Where both follow each other, as in `.ci/run`, they share them, so that one of both is asked each. This is the one
// place that says so.

const isOnServer = serverUrl() !== undefined;

/** On a server one operation in this many is asked; `TEST_SAMPLE=1` asks all. */
const oneIn = isOnServer ? Number(process.env['TEST_SAMPLE'] ?? 3) : 1;

/** Whether the tests of both databases share the operations: `TEST_SHARED=1`, with which both have to run. */
const areShared = process.env['TEST_SHARED'] === '1' && process.env['TEST_SAMPLE'] === undefined;

const numberOf = (name: string): number => createHash('sha256').update(name).digest().readUInt32BE();

/** Whether an operation or list is asked: all unless databases share them, and then half of them, by the name alone. */
export const isAsked = (name: string): boolean => !areShared || (numberOf(name) % 2 === 1) === isOnServer;

/** Whether an operation is asked where a server is asked a sample: by its name alone, so that it is the same ones in every run. */
export const isSampled = (name: string): boolean =>
  areShared ? isAsked(name) : numberOf(name) % oneIn === 0;

/** How many histories are told unless a number is asked for: on a server the first half of them. */
export const sampledHistories = (usual: number): number => (oneIn === 1 ? usual : Math.ceil(usual / 2));

/** The same where histories are random in each run: half of them on each database where both share them. */
export const sharedHistories = (usual: number): number =>
  areShared ? Math.ceil(usual / 2) : sampledHistories(usual);
