import { Card, Stack } from '../../../kit/layout.tsx';
import { Select } from '../../../kit/select.tsx';
import { TextField } from '../../../kit/text-field.tsx';
import { useWords } from '../../../words/words.ts';
import type { OrganizationSettings } from './settings-page.tsx';

type Retries = {
  /** Numbers of days, separated by commas. */
  readonly retryDays: string;
  readonly lastRetryAction: OrganizationSettings['lastRetryAction'];
};

type RetryDraft = { readonly values: Retries; readonly change: (changes: Partial<Retries>) => void };

/** Fields for the retries of failed payments. */
export function RetryFields({ values, change }: RetryDraft) {
  const { pages: words } = useWords('settings');
  return (
    <Card title={words.retries}>
      <Stack gap={4}>
        <TextField
          name="retryDays"
          label={words.retryDays}
          help={words.retryDaysHelp}
          value={values.retryDays}
          onChange={(retryDays) => change({ retryDays })}
        />
        <Select
          name="lastRetryAction"
          label={words.lastRetryAction}
          help={words.lastRetryActionHelp}
          value={values.lastRetryAction}
          onChange={(action) => change({ lastRetryAction: action as Retries['lastRetryAction'] })}
          options={(['cancel', 'keep_past_due'] as const).map((value) => ({
            value,
            label: words.lastRetryActions[value],
          }))}
        />
      </Stack>
    </Card>
  );
}
