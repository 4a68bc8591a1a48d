import { WaitingLines } from './waiting-lines.js';

describe('A request in a line', () => {
  it('should be asked to go on when it leaves, even if it was asking at that time', async () => {
    const lines = new WaitingLines();
    const place = lines.join('key', Infinity);
    const next = place.next();
    place.leave();
    await next;
    // Its last attempt ends now.
    await place.next();
    expect(lines.count).toBe(0);
  });
});
