import { useEffect } from 'react';

interface TablePage {
  page: number;
  perPage: number;
  /** How many rows there are on all pages; `undefined` while they load. */
  total: number | undefined;
}

/** Leads to the last page when the address names one beyond it, as when the only row there was deleted. */
export function useExistingPage({ page, perPage, total }: TablePage, show: (page: number) => void): void {
  const last = total === undefined ? page : Math.max(1, Math.ceil(total / perPage));
  useEffect(() => {
    if (page > last) show(last);
  });
}
