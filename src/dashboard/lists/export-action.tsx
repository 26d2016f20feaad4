import { DownloadIcon } from '@radix-ui/react-icons';
import { useState } from 'react';
import type { PlainPageName } from '../address.ts';
import { Button } from '../kit/button.tsx';
import { lazyPart } from '../kit/lazy-part.tsx';
import type { lists } from '../words/en/lists.ts';
import { useWords } from '../words/words.ts';
import { exportKindOf } from './export-kinds.ts';

const ExportDialog = lazyPart(() => import('./export-dialog.tsx').then((module) => module.ExportDialog));

type ExportActionProps = {
  readonly name: PlainPageName;
  /** What the list asks for. Its filter and its search count. */
  readonly variables: Readonly<Record<string, unknown>>;
};

/** Opens the export of what a list shows; nothing where the list is no kind of exports. */
export function ExportAction({ name, variables }: ExportActionProps) {
  const words = useWords<typeof lists>('lists');
  const [isOpen, setOpen] = useState(false);
  const kind = exportKindOf(name);
  if (kind === undefined) return null;
  return (
    <>
      <Button icon={<DownloadIcon />} onPress={() => setOpen(true)}>
        {words.export}
      </Button>
      {isOpen && <ExportDialog kind={kind} variables={variables} onClose={() => setOpen(false)} />}
    </>
  );
}
