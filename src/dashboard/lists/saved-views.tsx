import BookmarkIcon from 'lucide-react/icons/bookmark';
import { useState } from 'react';
import { addressOf, type PlainPageName, useAddressSearch } from '../address.ts';
import { ApiError } from '../data/api-error.ts';
import { useAction, useData } from '../data/hooks.ts';
import { useHasRole } from '../data/viewer.ts';
import { lazyPart } from '../kit/lazy-part.tsx';
import { Menu, type MenuAction } from '../kit/menu.tsx';
import { notify } from '../shell/notices.ts';
import { useWords } from '../words/words.ts';
import { SavedViewKeepDocument, type SavedViewRowFragment, SavedViewsDocument } from './saved-views.graphql';
import { isSameView, searchOfSettings, viewSearchOf } from './view-search.ts';

const ViewDialog = lazyPart(() => import('./view-dialog.tsx').then((module) => module.ViewDialog));
const DeleteView = lazyPart(() => import('./view-dialog.tsx').then((module) => module.DeleteView));

const none: readonly SavedViewRowFragment[] = [];

/** Open dialog: a new view, the settings of a view, or the confirmation before a view is deleted. */
type Asked = 'new' | 'edit' | 'delete' | null;

/** Menu that opens, saves, renames, shares and deletes saved list views. */
export function SavedViews({ name }: { readonly name: PlainPageName }) {
  const words = useWords('lists');
  const [search, change] = useAddressSearch();
  const { data, refetch } = useData(SavedViewsDocument, { list: name });
  const [keep] = useAction(SavedViewKeepDocument);
  const [asked, setAsked] = useState<Asked>(null);
  const isAdmin = useHasRole('admin');
  const views = data?.savedViews ?? none;
  const here = viewSearchOf(search);
  const named = views.find(({ id }) => id === search['saved']);
  const current = named ?? views.find(({ settings }) => isSameView(searchOfSettings(settings), here));
  const isChanged = current !== undefined && !isSameView(searchOfSettings(current.settings), here);
  const update = async (view: SavedViewRowFragment) => {
    const { id, name: title, isShared } = view;
    const answer = await keep({
      input: { id, list: name, name: title, isShared, settings: { search: here } },
    });
    if (answer instanceof ApiError) notify(answer.message, { tone: 'negative', requestId: answer.requestId });
    else notify(words.updated({ name: title }));
  };
  const items = views.map(
    (view): MenuAction => ({
      id: view.id,
      label: view.name,
      ...(view.isShared && { help: view.isOwn ? words.shared : words.sharedBy({ person: view.savedBy }) }),
      isChecked: view.id === current?.id,
      href: addressOf(name, null, { ...searchOfSettings(view.settings), saved: view.id }),
    }),
  );
  const actions: MenuAction[] = [
    ...(isChanged && current.isOwn
      ? [{ id: 'update', label: words.update({ name: current.name }), onAction: () => void update(current) }]
      : []),
    { id: 'new', label: words.save, onAction: () => setAsked('new') },
    ...(current?.isOwn === true
      ? [{ id: 'edit', label: words.edit({ name: current.name }), onAction: () => setAsked('edit') }]
      : []),
    ...(current !== undefined && (current.isOwn || isAdmin)
      ? [
          {
            id: 'delete',
            label: words.remove({ name: current.name }),
            tone: 'danger' as const,
            onAction: () => setAsked('delete'),
          },
        ]
      : []),
  ];
  const close = () => setAsked(null);
  return (
    <>
      <Menu
        label={current?.name ?? words.views}
        icon={<BookmarkIcon />}
        groups={[
          ...(items.length > 0 ? [{ title: words.views, items }] : []),
          { title: words.thisView, items: actions },
        ]}
      />
      {(asked === 'new' || (asked === 'edit' && current !== undefined)) && (
        <ViewDialog
          list={name}
          view={asked === 'edit' ? (current ?? null) : null}
          search={here}
          onClose={close}
          onDone={(id) => {
            refetch();
            change({ saved: id });
          }}
        />
      )}
      {asked === 'delete' && current !== undefined && (
        <DeleteView
          view={current}
          onClose={close}
          onDone={() => {
            refetch();
            change({ saved: undefined });
          }}
        />
      )}
    </>
  );
}
