import { useState } from 'react';
import type { ResultOf } from '../../../../ui/documents.ts';
import { ApiError } from '../../../data/api-error.ts';
import { useAction } from '../../../data/hooks.ts';
import { Button } from '../../../kit/button.tsx';
import { Card, Stack } from '../../../kit/layout.tsx';
import { lazyPart } from '../../../kit/lazy-part.tsx';
import { Section } from '../../../kit/page.tsx';
import { EmptyState } from '../../../kit/states.tsx';
import { Table } from '../../../kit/table.tsx';
import { Hidden } from '../../../kit/text.tsx';
import { Country } from '../../../kit/values.tsx';
import { Rejection } from '../../../shell/rejection.tsx';
import { useWords } from '../../../words/words.ts';
import { type SettingsProvidersDocument, SettingsRouteSetDocument } from '../providers.graphql';
import type { Account } from './provider-dialog.tsx';

const RouteDialog = lazyPart(() => import('./route-dialog.tsx').then((module) => module.RouteDialog));

type Route = ResultOf<typeof SettingsProvidersDocument>['paymentRoutes'][number];

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
