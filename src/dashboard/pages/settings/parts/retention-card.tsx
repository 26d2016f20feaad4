import { addressOf } from '../../../address.ts';
import { ApiError } from '../../../data/api-error.ts';
import { useAction, useData } from '../../../data/hooks.ts';
import { Card, Stack } from '../../../kit/layout.tsx';
import { Link } from '../../../kit/link.tsx';
import { Select } from '../../../kit/select.tsx';
import { Loading } from '../../../kit/states.tsx';
import { Text } from '../../../kit/text.tsx';
import { DataError } from '../../../shell/data-error.tsx';
import { notify } from '../../../shell/notices.ts';
import { Rejection } from '../../../shell/rejection.tsx';
import { useWords } from '../../../words/words.ts';
import { SettingsRetentionDocument, SettingsRetentionSetDocument } from '../retention.graphql';

/** Value of the option for no retention offer. */
const none = 'none';

/** Selects the retention offer for customers who are about to cancel. It applies to the current environment and is saved immediately. */
export function RetentionCard() {
  const { retention: words, saved } = useWords('settings');
  const { data, error, refetch } = useData(SettingsRetentionDocument, {});
  const [set, { isRunning, error: rejection }] = useAction(SettingsRetentionSetDocument);
  const current = data?.retentionOffer ?? null;
  const offers = (data?.offers.nodes ?? []).filter(({ phases }) =>
    phases.every(({ __typename }) => __typename !== 'OfferFreeTrialPhase'),
  );
  const listed =
    current === null || offers.some(({ id }) => id === current.id) ? offers : [current, ...offers];
  const choose = async (value: string) => {
    if ((await set({ input: { offerId: value === none ? null : value } })) instanceof ApiError) return;
    notify(saved);
    refetch();
  };
  return (
    <Card title={words.title}>
      <Stack gap={3}>
        <Text color="muted">{words.text}</Text>
        {data === null && error === null && <Loading lines={1} />}
        {data === null && error !== null && <DataError error={error} onRetry={refetch} />}
        {data !== null && (
          <Select
            name="retentionOffer"
            label={words.offer}
            help={words.help}
            value={current?.id ?? none}
            isDisabled={isRunning}
            onChange={(value) => void choose(value)}
            options={[
              { value: none, label: words.none },
              ...listed.map(({ id, name, active }) => ({
                value: id,
                label: name,
                ...(active ? {} : { help: words.off }),
              })),
            ]}
          />
        )}
        <Link href={addressOf('offers')}>{words.manage}</Link>
        <Rejection error={rejection} />
      </Stack>
    </Card>
  );
}
