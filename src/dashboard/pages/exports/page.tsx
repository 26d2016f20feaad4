import { useState } from 'react';
import { addressOf, useAddressSearch } from '../../address.ts';
import { Button } from '../../kit/button.tsx';
import { Stack } from '../../kit/layout.tsx';
import { lazyPart } from '../../kit/lazy-part.tsx';
import { LinkTabs } from '../../kit/link-tabs.tsx';
import { Page } from '../../kit/page.tsx';
import { useWords } from '../../words/words.ts';
import { ExportsTable } from './exports-table.tsx';
import { SchedulesTable } from './schedules-table.tsx';

const ExportDialog = lazyPart(() =>
  import('../../lists/export-dialog.tsx').then((module) => module.ExportDialog),
);

/** Lists exports and export schedules, and creates them. */
export default function ExportsPage() {
  const title = useWords('titles').exports;
  const words = useWords('exports');
  const [search] = useAddressSearch();
  const [isOpen, setOpen] = useState(false);
  const [closed, setClosed] = useState(0);
  const isSchedules = search['view'] === 'schedules';
  const make = (
    <Button kind="primary" onPress={() => setOpen(true)}>
      {isSchedules ? words.newSchedule : words.newExport}
    </Button>
  );
  return (
    <Page title={title} subtitle={isSchedules ? words.schedulesSubtitle : words.subtitle} actions={make}>
      <Stack gap={5}>
        <LinkTabs
          label={title}
          selected={isSchedules ? 'schedules' : 'exports'}
          items={[
            { id: 'exports', label: title, href: addressOf('exports') },
            {
              id: 'schedules',
              label: words.schedules,
              href: addressOf('exports', null, { view: 'schedules' }),
            },
          ]}
        />
        {isSchedules ? (
          <SchedulesTable closed={closed} />
        ) : (
          <ExportsTable closed={closed} emptyAction={make} />
        )}
      </Stack>
      {isOpen && (
        <ExportDialog
          variables={{}}
          often={isSchedules ? 'daily' : 'once'}
          onClose={() => {
            setOpen(false);
            setClosed(closed + 1);
          }}
        />
      )}
    </Page>
  );
}
