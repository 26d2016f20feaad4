import { copyFileSync, globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { compiledPackage, root, run } from '../../packages/sdk/support/compiled.ts';

// Examples that are installed outside of the repository, as by a stranger.

type Manifest = { readonly dependencies: Readonly<Record<string, string>> };

const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;

/**
 * Copies an example into a temporary folder, packs the client, and installs the dependencies. Packages of other authors come from the
 * installation of the repository instead of the registry, in the same version. Returns the folder.
 */
export async function installedExample(name: string): Promise<string> {
  const source = path.join(root, 'examples', name);
  const folder = mkdtempSync(path.join(tmpdir(), `${name}-`));
  for (const file of globSync('*.ts', { cwd: source }))
    copyFileSync(path.join(source, file), path.join(folder, file));
  const compiled = await compiledPackage(`${name}-sdk`);
  const { stdout } = await run('npm', ['pack', compiled, '--silent', '--pack-destination', folder], {
    cwd: root,
  });
  const manifest = manifestIn(source);
  const dependencies = Object.entries(manifest.dependencies).map(([dependency, version]) => {
    if (dependency === '@quittance/sdk') return [dependency, `file:${stdout.trim()}`];
    const own = path.join(root, 'node_modules', dependency);
    const { version: installed } = JSON.parse(readFileSync(path.join(own, 'package.json'), 'utf8'));
    if (installed !== version)
      throw new Error(`${dependency} is ${installed} here, and ${version} in ${name}.`);
    return [dependency, `file:${own}`];
  });
  writeFileSync(
    path.join(folder, 'package.json'),
    JSON.stringify({ ...manifest, dependencies: Object.fromEntries(dependencies) }),
  );
  const options = [
    '--install-links',
    '--offline',
    '--legacy-peer-deps',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
  ];
  await run('npm', ['install', ...options], { cwd: folder });
  return folder;
}
