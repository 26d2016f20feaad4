import { parseMoney, plainDecimal } from '../../ui/format/money.ts';
import { usePage } from '../data/current-page.ts';
import { typed } from '../data/field-values.ts';
import { moneyText } from '../format.ts';
import { useOwn } from './portal-words.ts';
import { balanceText, type Unit, unitText } from './texts.ts';
import type { PortalActions } from './use-portal.ts';

type Reason = keyof ReturnType<typeof useOwn>['autoTopUp']['reasons'];

export type TopUp = {
  readonly asset: string;
  readonly status: 'on' | 'off' | 'paused';
  readonly threshold: number;
  readonly refill: {
    readonly amount: number | null;
    readonly target: number | null;
    readonly creditPackId: string | null;
    readonly quantity: number | null;
  };
  readonly maxPerMonth: number;
  readonly maxAmountPerMonth: number;
  readonly reason: Reason | null;
  readonly usedThisMonth: { readonly count: number; readonly amount: number };
};

/** Credit pack that a top-up can purchase. */
type Pack = { readonly creditPackId: string; readonly name: string; readonly amountDue: number };

export type Props = {
  readonly currency: string;
  readonly currencyDecimals: number;
  /** Code of the account: the currency of a balance, or a custom unit. */
  readonly asset: string;
  /** Custom unit of the account. `null` if the account contains credits or a balance. */
  readonly unit: Unit | null;
  /** Packs of the unit. `null` if the account is a balance. */
  readonly packs: readonly Pack[] | null;
  readonly topUp: TopUp | undefined;
  /** Whether customers can turn the top-up on. */
  readonly isOffered: boolean;
  readonly actions: PortalActions;
};

/** Ten-thousandths of a currency unit in one unit. */
const rateScale = 10_000;

export const maxPerMonth = 5;

/** Returns the ID of an element in the card of an account. A page can have cards of several custom units. */
export const idOf = ({ asset, unit }: Pick<Props, 'asset' | 'unit'>, name: string): string =>
  unit === null ? name : `${name}-${asset}`;

/** Returns functions that format and parse amounts of the account. */
export function useAccountAmount({ currency, currencyDecimals, unit, packs }: Omit<Props, 'topUp'>) {
  const page = usePage();
  const own = useOwn();
  const decimals = unit?.decimals ?? 0;
  return {
    textOf: (amount: number): string => {
      if (packs === null) return balanceText({ page, own }, currency, amount);
      return unit === null ? own.autoTopUp.credits({ count: amount }) : unitText(page.language, unit, amount);
    },
    /** Returns a whole amount of the account. `null` if the text isn't an amount. */
    parse: (text: string): number | null => {
      if (packs === null) {
        const minor = parseMoney(text, currency, page.language);
        return minor === null ? null : (minor * rateScale) / 10 ** currencyDecimals;
      }
      const plain = plainDecimal(text, page.language);
      const amount = plain === null ? Number.NaN : Math.round(Number(plain) * 10 ** decimals);
      return Number.isSafeInteger(amount) ? amount : null;
    },
  };
}

/** Refill in a request, with the sentence that the customer agrees to. */
type Refill = {
  readonly input: { amount: number } | { target: number } | { creditPackId: string };
  readonly consent: (values: { threshold: string; most: string }) => string;
};

/** Reads the fields of the form. Marks the fields that contain no amount. */
export function useEntries(props: Omit<Props, 'topUp'>) {
  const { currency, packs, actions } = props;
  const page = usePage();
  const { autoTopUp: words } = useOwn();
  const { textOf, parse } = useAccountAmount(props);
  const money = (amount: number): string => moneyText(page, props, amount);
  const read = (
    name: string,
    least: 0 | 1,
    convert = (text: string) => parseMoney(text, currency, page.language),
  ) => {
    const field = idOf(props, name);
    const value = convert(typed(field));
    const isRight = value !== null && value >= least;
    actions.steps.mark(field, isRight ? '' : words.problem);
    return isRight ? value : null;
  };
  const common = { merchant: page.merchant, count: maxPerMonth };
  const refill = (): Refill | null => {
    if (packs !== null) {
      const pack =
        packs.find(({ creditPackId }) => creditPackId === typed(idOf(props, 'autoPack'))) ?? packs[0];
      if (pack === undefined) return null;
      const bought = { pack: pack.name, price: money(pack.amountDue) };
      return {
        input: { creditPackId: pack.creditPackId },
        consent: (values) => words.consentPack({ ...common, ...values, ...bought }),
      };
    }
    if (typed(idOf(props, 'autoKind')) === 'target') {
      const target = read('autoAmount', 1, parse);
      if (target === null) return null;
      return {
        input: { target },
        consent: (values) => words.consentTarget({ ...common, ...values, target: textOf(target) }),
      };
    }
    const amount = read('autoAmount', 1);
    if (amount === null) return null;
    return {
      input: { amount },
      consent: (values) => words.consent({ ...common, ...values, amount: money(amount) }),
    };
  };
  return () => {
    const threshold = read('autoThreshold', 0, parse);
    const bought = refill();
    const most = read('autoMost', 1);
    if (threshold === null || bought === null || most === null) return null;
    const statement = bought.consent({ threshold: textOf(threshold), most: money(most) });
    return { threshold, ...bought.input, maxAmountPerMonth: most, statement };
  };
}
