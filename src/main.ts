import path from 'node:path';
import { keepCompiled } from './platform/compile-cache.ts';

// The entry of the process. What it runs is imported only once compiled code is taken from the cache.
keepCompiled(path.resolve(import.meta.dirname, '../.cache/compiled'));
await import('./run.ts');
