import { useState } from 'react';
import { addressOf } from '../../../../address.ts';
import { Menu } from '../../../../kit/menu.tsx';
import { CatalogPlanDeleteDocument } from '../../../../parts/catalog/commands.graphql';
import type { PlanDraft } from '../../../../parts/catalog/model/plan-draft.ts';
import { openAddress } from '../../../../router-address.ts';
import { AskDialog } from '../../../../shell/ask-dialog.tsx';
import type { catalog } from '../../../../words/en/catalog.ts';
import type { plan as planWords } from '../../../../words/en/plan.ts';
import { useWords } from '../../../../words/words.ts';
import { ImpactNote } from '../../parts/impact-note.tsx';

/** What can be done with a plan as a whole. */
export function PlanActions({ plan }: { readonly plan: PlanDraft }) {
  const { actions: words } = useWords<typeof planWords>('plan');
  const { rejections } = useWords<typeof catalog>('catalog');
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Menu
        items={[{ id: 'delete', label: words.delete, tone: 'danger', onAction: () => setAsking(true) }]}
      />
      {isAsking && (
        <AskDialog
          document={CatalogPlanDeleteDocument}
          input={{ id: plan.id }}
          title={words.deleteTitle(plan.name)}
          texts={[words.deleteText]}
          confirm={words.delete}
          errors={rejections}
          onDone={() => openAddress(addressOf('plans'))}
          onClose={() => setAsking(false)}
        >
          <ImpactNote change={{ planDelete: { id: plan.id } }} />
        </AskDialog>
      )}
    </>
  );
}
