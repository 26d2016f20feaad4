import { constants, enableCompileCache } from 'node:module';

const { ENABLED, ALREADY_ENABLED } = constants.compileCacheStatus;

/**
 * Has Node keep what it compiles in a folder and take it from there when the same file is loaded again; it is written when the process ends.
 * Answers whether it does. Where the folder cannot be made, everything is compiled as if there were none. `NODE_COMPILE_CACHE` names another folder.
 */
export function keepCompiled(folder: string): boolean {
  const { status } = enableCompileCache(folder);
  return status === ENABLED || status === ALREADY_ENABLED;
}
