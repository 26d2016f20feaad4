import { AssetAmountField, AssetResult } from './asset-amount.tsx';
import { defineCommand, type FieldsProps, type Subject, subscriptionId } from './command.ts';
import { CommandBalanceAdjustDocument } from './commands.graphql';
import { useCommandWords } from './fields.tsx';
import { TextField } from './lazy-fields.ts';
import { hasLots, usePools } from './lots.tsx';

type Values = { readonly amount: number | null; readonly reason: string };

/** Returns the asset of the plan's first pool, which adjustments change. `null` if the pools are still loading. */
const useAsset = (subject: Subject): string | null => usePools(subject)?.[0]?.asset ?? null;

function Fields({ values, change, subject }: FieldsProps<Values>) {
  const { balanceAdjust: words } = useCommandWords();
  const asset = useAsset(subject);
  return (
    <>
      {asset !== null && (
        <AssetAmountField
          subject={subject}
          asset={asset}
          labels={words}
          isSigned
          value={values.amount}
          onChange={(amount) => change({ amount })}
        />
      )}
      <TextField
        name="reason"
        label={words.reason}
        isOptional
        maxLength={1000}
        value={values.reason}
        onChange={(reason) => change({ reason })}
      />
    </>
  );
}

function Consequence({ values, subject }: FieldsProps<Values>) {
  const { balanceAdjust: words } = useCommandWords();
  const asset = useAsset(subject);
  return <AssetResult subject={subject} asset={asset} amount={values.amount} text={words.result} />;
}

export const balanceAdjust = defineCommand({
  name: 'balanceAdjust',
  group: 'allowances',
  applies: hasLots,
  initial: (): Values => ({ amount: null, reason: '' }),
  Fields,
  Consequence,
  input: ({ amount, reason }, subject) =>
    amount === null || amount === 0
      ? null
      : {
          subscriptionId: subscriptionId(subject),
          amount,
          ...(reason.trim() !== '' && { reason: reason.trim() }),
        },
  document: CommandBalanceAdjustDocument,
});
