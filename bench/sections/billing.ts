import { isExact, isSafeEstimate, sumBills } from '../../test/generation/billing/records.js';
import { runBilling } from '../../test/generation/billing/run-billing.js';
import type { BenchDatabase } from '../data/bench-database.js';
import { figureRow, type Row, valueRow } from '../row.js';

const count = 10_000;

/** Compares what is recorded of generated text with the bill of its upstream. */
export async function measureBilling({ connection }: BenchDatabase): Promise<Row[]> {
  const outcomes = await runBilling(count, connection);
  const compared = outcomes.map(({ bills, record }) => {
    const billed = sumBills(bills);
    if (isExact(record, billed)) return 'exact';
    return isSafeEstimate(record, billed) ? 'estimated' : 'wrong';
  });
  const countOf = (result: (typeof compared)[number]) => compared.filter((one) => one === result).length;
  const requests = `of ${count.toLocaleString('en-US')} requests for generated text`;
  return [
    figureRow(
      {
        what: `Recorded exactly, ${requests}`,
        explanation:
          'In all dialects, as JSON and streams, completed, left at any byte, drained, cut, silent, failing and erroneous, to an upstream that bills what it has generated: the recorded tokens equal the bill.',
      },
      countOf('exact'),
      'requests',
    ),
    figureRow(
      {
        what: `Recorded as estimated, ${requests}`,
        explanation: 'With at least the bill: the upstream never reported it.',
      },
      countOf('estimated'),
      'requests',
    ),
    valueRow(
      { what: `Recorded with less than the bill, ${requests}`, explanation: 'Neither exact nor a safe estimate.' },
      countOf('wrong'),
      0,
      'requests',
    ),
  ];
}
