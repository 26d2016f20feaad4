import { graduated } from './models/graduated.ts';
import { packages } from './models/package.ts';
import { perUnit } from './models/per-unit.ts';
import { stairs } from './models/stairs.ts';
import { volume } from './models/volume.ts';
import type { PriceModel } from './parts.ts';
import type { ModelName } from './rate.ts';

/**
 * Pricing models by name. To add a model, create a file in `models`, and add the name to `modelNames` and the model
 * to this map.
 */
export const models: Readonly<Record<ModelName, PriceModel>> = {
  per_unit: perUnit,
  graduated,
  volume,
  package: packages,
  stairs,
};
