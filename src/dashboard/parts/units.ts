import { isCurrency } from '../../domain/money/money.ts';
import { rateText } from '../../ui/format/money.ts';
import { countText, numberText } from '../../ui/format/numbers.ts';
import { useData } from '../data/hooks.ts';
import { useKit } from '../kit/provider.tsx';
import { CustomUnitsDocument, type CustomUnitsQuery } from './units.graphql';

/** Custom unit of amounts. */
export type Unit = Pick<CustomUnitsQuery['assets'][number], 'code' | 'name' | 'symbol' | 'decimals'>;

const noUnits: readonly Unit[] = [];

const isCustom = (asset: string): boolean => asset !== 'credits' && !isCurrency(asset);

/** Formats an amount of an asset: credits, money in ten-thousandths of the currency unit, or the smallest amounts of a custom unit. */
export function unitAmountText(
  asset: string,
  amount: number,
  units: readonly Unit[],
  locale: string,
): string {
  if (isCurrency(asset)) return rateText(amount, asset, locale);
  if (!isCustom(asset)) return countText(amount, locale);
  const { decimals = 0, symbol = null, name = asset } = units.find(({ code }) => code === asset) ?? {};
  return `${numberText(amount / 10 ** decimals, locale, decimals)} ${symbol ?? name}`;
}

/** Returns the custom units of the environment. Loads them only if an asset is a custom unit other than credits. */
export function useUnits(assets: readonly string[]): readonly Unit[] {
  const { data } = useData(CustomUnitsDocument, {}, { isPaused: !assets.some(isCustom) });
  return data?.assets ?? noUnits;
}

/** Returns a function that formats amounts of an asset. */
export function useAmountText(asset: string): (amount: number) => string {
  const { locale } = useKit();
  const units = useUnits([asset]);
  return (amount) => unitAmountText(asset, amount, units, locale);
}

/** Returns the name of a custom unit. Returns `null` if the asset is credits or money. */
export function useUnitName(asset: string): string | null {
  const units = useUnits([asset]);
  return isCustom(asset) ? (units.find(({ code }) => code === asset)?.name ?? asset) : null;
}
