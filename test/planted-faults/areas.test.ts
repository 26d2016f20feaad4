import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { areas } from './areas/index.ts';
import { plant } from './fault.ts';

// Checks the list of planted faults. Each fault must match its file, and its tests must exist.

const root = path.resolve(import.meta.dirname, '../..');

const files = Object.values(areas).flat();

const faults = files.flatMap(({ file, faults: own }) => own.map((fault) => ({ file, ...fault })));

describe('a planted fault', () => {
  it.each(faults)('replaces code that occurs exactly once in its file: $fault', ({ file, ...fault }) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    expect(plant(text, fault)).not.toBe(text);
  });

  it('has a unique description', () => {
    expect(faults.length).toBeGreaterThanOrEqual(100);
    expect(new Set(faults.map(({ fault }) => fault)).size).toBe(faults.length);
  });

  it('lists only test files and folders that exist', () => {
    const missing = files.flatMap(({ tests }) => tests).filter((test) => !existsSync(path.join(root, test)));
    expect(missing).toEqual([]);
  });
});
