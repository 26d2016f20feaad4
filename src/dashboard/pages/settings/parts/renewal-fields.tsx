import { Switch } from '../../../kit/choice.tsx';
import { Card, Stack } from '../../../kit/layout.tsx';
import { NumberField } from '../../../kit/number-field.tsx';
import { useWords } from '../../../words/words.ts';

type Renewals = { readonly collectByPayer: boolean; readonly collectionDueDays: number };

type RenewalDraft = {
  readonly values: Renewals;
  readonly change: (changes: Partial<Renewals>) => void;
};

/** Fields for renewals that no stored payment method can be charged for. */
export function RenewalFields({ values, change }: RenewalDraft) {
  const { pages: words } = useWords('settings');
  return (
    <Card title={words.renewals}>
      <Stack gap={4}>
        <Switch
          isSelected={values.collectByPayer}
          onChange={(collectByPayer) => change({ collectByPayer })}
          help={words.collectByPayerHelp}
        >
          {words.collectByPayer}
        </Switch>
        {values.collectByPayer ? (
          <NumberField
            name="collectionDueDays"
            label={words.collectionDueDays}
            help={words.collectionDueDaysHelp}
            value={values.collectionDueDays}
            onChange={(collectionDueDays) => change({ collectionDueDays })}
            minValue={0}
            maxValue={60}
          />
        ) : null}
      </Stack>
    </Card>
  );
}
