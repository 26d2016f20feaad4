import { createHash } from 'node:crypto';
import { serverUrl } from './template.ts';

// Selects the operations and random histories to test on a database: all of them on the embedded database, and
// some on a server, which receives the same SQL. If both databases are tested in sequence (`.ci/run`), the
// operations are divided between them.

const isOnServer = serverUrl() !== undefined;

/** On a server, 1 in this many operations is tested. `TEST_SAMPLE=1` tests all operations. */
const oneIn = isOnServer ? Number(process.env['TEST_SAMPLE'] ?? 3) : 1;

/** True if both databases run and divide the operations between them (`TEST_SHARED=1`). */
const areShared = process.env['TEST_SHARED'] === '1' && process.env['TEST_SAMPLE'] === undefined;

const numberOf = (name: string): number => createHash('sha256').update(name).digest().readUInt32BE();

/**
 * True if an operation or list is tested on this database. If both databases run, each tests half of the
 * operations and lists, chosen by name; otherwise, all are tested.
 */
export const isAsked = (name: string): boolean => !areShared || (numberOf(name) % 2 === 1) === isOnServer;

/**
 * True if the sample for a server includes an operation. The choice depends only on the name, so that each
 * run has the same sample.
 */
export const isSampled = (name: string): boolean =>
  areShared ? isAsked(name) : numberOf(name) % oneIn === 0;

/**
 * Returns the number of histories to test. A server tests half of them, or all of them with `TEST_SAMPLE=1`.
 */
export const sampledHistories = (usual: number): number => (oneIn === 1 ? usual : Math.ceil(usual / 2));

/** Returns the number of random histories to test. If both databases run, each tests half of them. */
export const sharedHistories = (usual: number): number =>
  areShared ? Math.ceil(usual / 2) : sampledHistories(usual);
