import { useState } from 'react';
import type { ResultOf } from '../../../../ui/documents.ts';
import { ApiError } from '../../../data/api-error.ts';
import { useAction } from '../../../data/hooks.ts';
import { Button } from '../../../kit/button.tsx';
import { Card, Stack } from '../../../kit/layout.tsx';
import { Section } from '../../../kit/page.tsx';
import { Select } from '../../../kit/select.tsx';
import { EmptyState } from '../../../kit/states.tsx';
import { Table } from '../../../kit/table.tsx';
import { Hidden } from '../../../kit/text.tsx';
import { useDraft } from '../../../kit/use-draft.ts';
import { Country } from '../../../kit/values.tsx';
import { CountryField } from '../../../parts/country-field.tsx';
import { notify } from '../../../shell/notices.ts';
import { Rejection } from '../../../shell/rejection.tsx';
import { useWords } from '../../../words/words.ts';
import { type SettingsProvidersDocument, SettingsRouteSetDocument } from '../providers.graphql';
import { FormDialog } from './form-dialog.tsx';
import type { Account } from './provider-dialog.tsx';

type Route = ResultOf<typeof SettingsProvidersDocument>['paymentRoutes'][number];

type RouteDialogProps = {
  readonly accounts: readonly Account[];
  readonly onClose: () => void;
  readonly onDone: () => void;
};

/** Dialog that selects the payment account for new checkouts in a country. */
function RouteDialog({ accounts, onClose, onDone }: RouteDialogProps) {
  const words = useWords('providers');
  const [set, { isRunning, error }] = useAction(SettingsRouteSetDocument);
  const draft = useDraft(
    { country: '', provider: accounts[0]?.id ?? 'platform' },
    {
      isReady: ({ country }) => country !== '',
      send: (input) => set({ input }),
      onDone: () => {
        notify(words.routed);
        onDone();
      },
    },
  );
  const { values, change } = draft;
  return (
    <FormDialog
      title={words.addRoute}
      save={words.saveRoute}
      error={error}
      isRunning={isRunning}
      draft={draft}
      onClose={onClose}
    >
      <CountryField
        label={words.country}
        help={words.countryHelp}
        value={values.country}
        onChange={(country) => change({ country })}
      />
      <Select
        name="provider"
        label={words.goesTo}
        value={values.provider}
        onChange={(provider) => change({ provider })}
        options={[
          ...accounts.map(({ id, name }) => ({ value: id, label: name })),
          { value: 'platform', label: words.platform },
        ]}
      />
    </FormDialog>
  );
}

type RoutesCardProps = {
  readonly routes: readonly Route[];
  readonly accounts: readonly Account[];
  readonly onChanged: () => void;
};

/** Lists the payment accounts for new checkouts by country. */
export function RoutesCard({ routes, accounts, onChanged }: RoutesCardProps) {
  const words = useWords('providers');
  const [isAdding, setAdding] = useState(false);
  const [set, { isRunning, error }] = useAction(SettingsRouteSetDocument);
  const remove = async (country: string) => {
    if (!((await set({ input: { country, provider: null } })) instanceof ApiError)) onChanged();
  };
  return (
    <Section
      title={words.routes}
      description={words.routesText}
      actions={<Button onPress={() => setAdding(true)}>{words.addRoute}</Button>}
    >
      <Stack gap={3}>
        <Card padding="none">
          {routes.length === 0 ? (
            <EmptyState title={words.noRoutes}>{words.noRoutesText}</EmptyState>
          ) : (
            <Table
              label={words.routes}
              rows={routes}
              rowKey={({ country }) => country}
              columns={[
                { id: 'country', title: words.country, cell: ({ country }) => <Country code={country} /> },
                {
                  id: 'provider',
                  title: words.goesTo,
                  cell: ({ connection }) => connection?.name ?? words.platform,
                },
                {
                  id: 'actions',
                  title: <Hidden>{words.actions}</Hidden>,
                  align: 'end',
                  cell: ({ country }) => (
                    <Button
                      size="sm"
                      kind="quiet"
                      isDisabled={isRunning}
                      onPress={() => void remove(country)}
                    >
                      {words.removeRoute}
                    </Button>
                  ),
                },
              ]}
            />
          )}
        </Card>
        <Rejection error={error} />
      </Stack>
      {isAdding && (
        <RouteDialog
          accounts={accounts}
          onClose={() => setAdding(false)}
          onDone={() => {
            setAdding(false);
            onChanged();
          }}
        />
      )}
    </Section>
  );
}
