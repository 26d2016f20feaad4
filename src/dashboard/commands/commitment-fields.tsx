import { useCommandWords } from './fields.tsx';
import { Checkbox, Select } from './lazy-fields.ts';

/** Effects of the end of a commitment's term. */
export type TermEnd = {
  readonly atEnd: 'expire' | 'roll_once';
  readonly autoRenew: boolean;
};

/** Fields for the renewal of a commitment, and for the remaining amount at the end of its term. */
export function TermEndFields({
  values: { atEnd, autoRenew },
  change,
}: {
  readonly values: TermEnd;
  readonly change: (part: Partial<TermEnd>) => void;
}) {
  const { commitments: words } = useCommandWords();
  return (
    <>
      <Checkbox
        name="autoRenew"
        help={words.autoRenewHelp}
        isSelected={autoRenew}
        onChange={(isSelected) => change({ autoRenew: isSelected })}
      >
        {words.autoRenew}
      </Checkbox>
      <Select
        name="atEnd"
        label={words.atEnd}
        options={(['expire', 'roll_once'] as const).map((value) => ({ value, label: words.ends[value] }))}
        value={atEnd}
        onChange={(value) => change({ atEnd: value === 'roll_once' ? value : 'expire' })}
      />
    </>
  );
}
