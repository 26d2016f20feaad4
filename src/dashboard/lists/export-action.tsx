import { DownloadIcon } from '@radix-ui/react-icons';
import { useState } from 'react';
import type { PlainPageName } from '../address.ts';
import { Button } from '../kit/button.tsx';
import { lazyPart } from '../kit/lazy-part.tsx';
import { Text } from '../kit/text.tsx';
import type { lists } from '../words/en/lists.ts';
import { useWords } from '../words/words.ts';
import { type ExportKind, exportKindOf, isExportedByIds, mostExported } from './export-kinds.ts';

const ExportDialog = lazyPart(() => import('./export-dialog.tsx').then((module) => module.ExportDialog));

type ExportButtonProps = {
  readonly kind: ExportKind;
  /** What is asked for. Its filter, which for a series are its arguments, and its search count. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** What the button says to readers, where there are several of them. */
  readonly label?: string;
  readonly text?: string;
  readonly size?: 'sm';
};

/** Opens the export of a kind, narrowed as what is on screen. */
export function ExportButton({ kind, variables, label, text, size }: ExportButtonProps) {
  const words = useWords<typeof lists>('lists');
  const [isOpen, setOpen] = useState(false);
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
  /** What the list asks for. Its filter and its search count. */
  readonly variables: Readonly<Record<string, unknown>>;
};

/** Opens the export of what a list shows; nothing where the list is no kind of exports. */
export function ExportAction({ name, variables }: ExportActionProps) {
  const kind = exportKindOf(name);
  return kind === undefined ? null : <ExportButton kind={kind} variables={variables} />;
}

type SelectionProps = { readonly name: PlainPageName; readonly selected: ReadonlySet<string> };

/** Opens the export of selected rows. */
export function ExportSelection({ name, selected }: SelectionProps) {
  const { bulk: words } = useWords<typeof lists>('lists');
  const kind = exportKindOf(name);
  if (kind === undefined || !isExportedByIds(name)) return null;
  if (selected.size > mostExported) return <Text>{words.tooMany(mostExported)}</Text>;
  const variables = { filter: { ids: [...selected] } };
  return <ExportButton kind={kind} variables={variables} text={words.export} size="sm" />;
}
