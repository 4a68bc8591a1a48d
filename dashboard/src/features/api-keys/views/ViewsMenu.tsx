import { Button, Menu } from '@mantine/core';
import { IconBookmark, IconCheck, IconCursorText, IconLink, IconPlus, IconTrash } from '@tabler/icons-react';
import { Suspense } from 'react';
import { type ApiKeysSearch, apiKeysSearchDefaults, noFilters } from '../../../common/api-keys/search.js';
import { useCopy } from '../../../hooks/use-copy.js';
import { useDialog } from '../../../hooks/use-dialog.js';
import { lazyComponent } from '../../../lib/lazy-component.js';
import { notifyDone, notifyFailed } from '../../../lib/notify.js';
import { isSameView, maxViews, type SavedView, viewOf } from './saved-views.js';
import { useSavedViews } from './use-saved-views.js';
import classes from './ViewsMenu.module.css';

const ViewNameModal = lazyComponent(() => import('./ViewNameModal.js'), 'ViewNameModal');
const { orderBy, order } = apiKeysSearchDefaults;
const allKeys = { ...noFilters, orderBy, order };

interface ViewsMenuProps {
  search: ApiKeysSearch;
  onSearch: (change: Partial<ApiKeysSearch>) => void;
}

/** Saves filters and order under a name, shows the keys of a saved view, and copies the link to the present one. */
export function ViewsMenu({ search, onSearch }: ViewsMenuProps) {
  const { views, store } = useSavedViews();
  const naming = useDialog<SavedView | undefined>();
  const link = useCopy(window.location.href, () => notifyDone('Link copied.'));
  const shown = viewOf(search);
  const current = views.find((view) => isSameView(view.search, shown));
  const remove = ({ name }: SavedView) => {
    try {
      store(views.filter((view) => view.name !== name));
      notifyDone(`View ${name} deleted.`);
    } catch (error) {
      if (error instanceof Error) notifyFailed(error.message);
    }
  };
  return (
    <>
      <Menu position="bottom-end" width={280}>
        <Menu.Target>
          <Button
            variant="default"
            fw={400}
            className={classes.button}
            leftSection={<IconBookmark size={16} aria-hidden />}
            aria-label={current === undefined ? undefined : `Views: ${current.name}`}
            title={current?.name}
          >
            <bdi className={classes.current}>{current?.name ?? 'Views'}</bdi>
          </Button>
        </Menu.Target>
        <Menu.Dropdown className={classes.dropdown}>
          {views.length > 0 && <Menu.Label>Saved in this browser</Menu.Label>}
          {views.map((view) => (
            <Menu.Item
              key={view.name}
              className={classes.view}
              aria-current={view === current}
              fw={view === current ? 600 : undefined}
              rightSection={view === current && <IconCheck size={16} aria-hidden />}
              onClick={() => onSearch({ ...allKeys, ...view.search })}
            >
              <bdi>{view.name}</bdi>
            </Menu.Item>
          ))}
          {views.length > 0 && <Menu.Divider />}
          {current === undefined ? (
            <SaveItem
              reason={explainWhyNot(views, isSameView(shown, allKeys))}
              onClick={() => naming.open(undefined)}
            />
          ) : (
            <>
              <Menu.Item leftSection={<IconCursorText size={16} aria-hidden />} onClick={() => naming.open(current)}>
                Rename view
              </Menu.Item>
              <Menu.Item
                c="var(--mantine-color-error)"
                leftSection={<IconTrash size={16} aria-hidden />}
                onClick={() => remove(current)}
              >
                Delete view
              </Menu.Item>
            </>
          )}
          <Menu.Item leftSection={<IconLink size={16} aria-hidden />} onClick={link.copy}>
            Copy link
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {naming.wasOpened && (
        <Suspense>
          <ViewNameModal
            renamed={naming.subject}
            shown={shown}
            views={views}
            store={store}
            isOpen={naming.isOpen}
            onClose={naming.close}
          />
        </Suspense>
      )}
    </>
  );
}

/** Why the present filters can't be saved, if so. */
function explainWhyNot(views: readonly SavedView[], isUnfiltered: boolean): string | undefined {
  if (isUnfiltered) return 'Filter or sort the keys to save a view.';
  return views.length >= maxViews ? `You have ${maxViews} views. Delete one first.` : undefined;
}

function SaveItem({ reason, onClick }: { reason: string | undefined; onClick: () => void }) {
  if (reason !== undefined) return <Menu.Label>{reason}</Menu.Label>;
  return (
    <Menu.Item leftSection={<IconPlus size={16} aria-hidden />} onClick={onClick}>
      Save view
    </Menu.Item>
  );
}
