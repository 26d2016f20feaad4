import { countText } from '../../../ui/format/numbers.ts';
import { useData } from '../../data/hooks.ts';
import { Callout } from '../../kit/callout.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Stack } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import { DateTime } from '../../kit/values.tsx';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import { VerifyLedgerDocument } from './page.graphql';

/** Dialog that checks the account balances against the transfers and lists differences. */
export function Verify({ onClose }: { readonly onClose: () => void }) {
  const { locale } = useKit();
  const words = useWords('ledger');
  const { data, error, refetch } = useData(VerifyLedgerDocument, {});
  const result = data?.ledgerVerify ?? null;
  return (
    <Dialog isOpen onClose={onClose} title={words.verify} size="lg">
      <Stack>
        <Text as="p">{words.verifyText}</Text>
        {error !== null && <DataError error={error} onRetry={refetch} />}
        {result === null && error === null && <Loading lines={3} />}
        {result?.ok === true && (
          <div role="status">
            <Callout tone="positive">
              {words.verified({ count: result.transferCount })} <DateTime at={result.checkedAt} />
            </Callout>
          </div>
        )}
        {result?.ok === false && (
          <>
            <Callout tone="negative">{words.wrong({ count: result.mismatches.length })}</Callout>
            <Table
              label={words.verify}
              rows={result.mismatches}
              rowKey={({ account }) => account}
              columns={[
                { id: 'account', title: words.mismatches, cell: ({ account }) => account },
                {
                  id: 'expected',
                  title: words.expected,
                  align: 'end',
                  cell: ({ expected }) => countText(expected, locale),
                },
                {
                  id: 'actual',
                  title: words.actual,
                  align: 'end',
                  cell: ({ actual }) => countText(actual, locale),
                },
              ]}
            />
          </>
        )}
      </Stack>
    </Dialog>
  );
}
