import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { type BuildName, buildsFolder } from './build-stamp.ts';

// Folder of a build. Other processes see a build only when it's complete.

const exists = (name: string): Promise<boolean> =>
  stat(name).then(
    () => true,
    () => false,
  );

/** Age after which the folder of an unfinished build is treated as abandoned. */
const abandonedMs = 600_000;

/** Removes outdated builds and abandoned unfinished builds. */
async function removeOthers(builds: string, stamp: string): Promise<void> {
  const others = (await readdir(builds)).filter((name) => name !== stamp);
  for (const name of others) {
    const folder = path.join(builds, name);
    const changed = await stat(folder).catch(() => null);
    const isUnfinished = name.includes('-');
    // Uses real time, because file timestamps don't follow the test clock.
    if (isUnfinished && changed !== null && performance.timeOrigin - changed.mtimeMs < abandonedMs) continue;
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Makes a build in the folder of its stamp, unless the folder exists. `make` writes into a temporary folder, so that concurrent builds don't conflict, and
 * returns the folder that contains the build: the temporary folder or a folder inside it. Removes outdated builds when the new build is complete.
 */
export async function publishBuild(
  name: BuildName,
  stamp: string,
  make: (aside: string) => Promise<string>,
): Promise<void> {
  const builds = buildsFolder(name);
  const target = path.join(builds, stamp);
  if (await exists(target)) return;
  const aside = path.join(builds, `${stamp}-${process.pid}`);
  await mkdir(aside, { recursive: true });
  try {
    const made = await make(aside);
    await rename(made, target).catch(async (error) => {
      if (!(await exists(target))) throw error;
    });
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
  await removeOthers(builds, stamp);
}
