import path from 'node:path';
import { keepCompiled } from './platform/compile-cache.ts';
import { root } from './platform/root.ts';

// The entry of the process. What it runs is imported only once compiled code is taken from the cache.
keepCompiled(path.join(root, '.cache/compiled'));
await import('./run.ts');
