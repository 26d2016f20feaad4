// Scopes of the presets of API keys (AGT-72). The file has no imports, so that the page that connects an app loads no lists of operations.

export const keyPresetNames = ['builder', 'reader', 'metering', 'support', 'catalog_agent'] as const;
export type KeyPresetName = (typeof keyPresetNames)[number];

export type PresetScope = 'read' | 'write' | 'finance';

const scopes: Readonly<Record<KeyPresetName, readonly PresetScope[]>> = {
  builder: ['read', 'write'],
  reader: ['read'],
  metering: ['read', 'write'],
  support: ['read', 'write', 'finance'],
  catalog_agent: ['read', 'write'],
};

/** Presets that exist only in the sandbox. */
const sandboxOnly: ReadonlySet<KeyPresetName> = new Set(['builder']);

/** Returns the scopes of a preset. `null` if the preset doesn't exist in the environment. */
export const presetScopes = (name: KeyPresetName, livemode: boolean): readonly PresetScope[] | null =>
  livemode && sandboxOnly.has(name) ? null : scopes[name];
