import { useEffect } from 'react';

interface TablePage {
  page: number;
  perPage: number;
  /** The number of rows on all pages; `undefined` while loading. */
  total: number | undefined;
}

/** Shows the last page if the URL names one beyond it, such as after deleting the only row of a page. */
export function useLastPageRedirect({ page, perPage, total }: TablePage, show: (page: number) => void): void {
  const last = total === undefined ? page : Math.max(1, Math.ceil(total / perPage));
  useEffect(() => {
    if (page > last) show(last);
  });
}
