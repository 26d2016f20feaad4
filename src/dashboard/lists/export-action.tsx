import DownloadIcon from 'lucide-react/icons/download';
import { useState } from 'react';
import type { PlainPageName } from '../address.ts';
import { useIsAllowed } from '../data/viewer.ts';
import { Button } from '../kit/button.tsx';
import { lazyPart } from '../kit/lazy-part.tsx';
import { Text } from '../kit/text.tsx';
import { useWords } from '../words/words.ts';
import { type ExportKind, exportKindOf, isExportedByIds, maxExported } from './export-kinds.ts';

const ExportDialog = lazyPart(() => import('./export-dialog.tsx').then((module) => module.ExportDialog));

type ExportButtonProps = {
  readonly kind: ExportKind;
  /** Variables of the list's query. The export uses the same search and filter. The export of a series uses all of the query's arguments. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Accessible name of the button, if the page has several export buttons. */
  readonly label?: string;
  readonly text?: string;
  readonly size?: 'sm';
};

/** Button that opens the export dialog with the filters of the current page. */
export function ExportButton({ kind, variables, label, text, size }: ExportButtonProps) {
  const words = useWords('lists');
  const [isOpen, setOpen] = useState(false);
  if (!useIsAllowed('exportCreate')) return null;
  return (
    <>
      <Button
        icon={<DownloadIcon />}
        onPress={() => setOpen(true)}
        {...(size && { size })}
        {...(label !== undefined && { 'aria-label': `${words.export}: ${label}` })}
      >
        {text ?? words.export}
      </Button>
      {isOpen && <ExportDialog kind={kind} variables={variables} onClose={() => setOpen(false)} />}
    </>
  );
}

type ExportActionProps = {
  readonly name: PlainPageName;
  /** Variables of the list's query. The export uses the same filter and search. */
  readonly variables: Readonly<Record<string, unknown>>;
};

/** Button that exports a list. Not shown if the list can't be exported. */
export function ExportAction({ name, variables }: ExportActionProps) {
  const kind = exportKindOf(name);
  return kind === undefined ? null : <ExportButton kind={kind} variables={variables} />;
}

type SelectionProps = { readonly name: PlainPageName; readonly selected: ReadonlySet<string> };

/** Button that exports the selected rows. */
export function ExportSelection({ name, selected }: SelectionProps) {
  const { bulk: words } = useWords('lists');
  const kind = exportKindOf(name);
  if (kind === undefined || !isExportedByIds(name)) return null;
  if (selected.size > maxExported) return <Text>{words.tooMany({ most: maxExported })}</Text>;
  const variables = { filter: { ids: [...selected] } };
  return <ExportButton kind={kind} variables={variables} text={words.export} size="sm" />;
}
