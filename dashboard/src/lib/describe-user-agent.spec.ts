import { describeUserAgent } from './describe-user-agent.js';

const webKit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const blink = 'AppleWebKit/537.36 (KHTML, like Gecko)';

describe('describeUserAgent', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox 140 on Linux'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${blink} Chrome/143.0.0.0 Safari/537.36`, 'Chrome 143 on Windows'],
    [`Mozilla/5.0 (X11; Linux x86_64) ${blink} HeadlessChrome/143.0.0.0 Safari/537.36`, 'Chrome 143 on Linux'],
    [`Mozilla/5.0 (Windows NT 10.0) ${blink} Chrome/143.0.0.0 Safari/537.36 Edg/143.0.0.0`, 'Edge 143 on Windows'],
    [
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${blink} Chrome/142.0.0.0 Safari/537.36 OPR/126.0`,
      'Opera 126 on macOS',
    ],
    [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit} Version/19.1 Safari/605.1.15`, 'Safari 19 on macOS'],
    [
      `Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) ${webKit} Version/19.0 Mobile/15E148 Safari/604.1`,
      'Safari 19 on iPhone',
    ],
    [
      `Mozilla/5.0 (iPad; CPU OS 19_0 like Mac OS X) ${webKit} CriOS/143.0.1 Mobile/15E148 Safari/604.1`,
      'Chrome 143 on iPad',
    ],
    [
      `Mozilla/5.0 (Linux; Android 16) ${blink} SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36`,
      'Samsung Internet 29 on Android',
    ],
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${blink} Chrome/143.0.0.0 Safari/537.36`, 'Chrome 143 on ChromeOS'],
  ])('should return the browser and operating system of %s', (userAgent, description) => {
    expect(describeUserAgent(userAgent)).toBe(description);
  });

  it.each([
    ['curl/8.5.0', 'curl 8.5.0'],
    ['python-requests/2.32.3', 'python-requests 2.32.3'],
    ['Terraform/1.9 (+https://www.terraform.io) provider', 'Terraform 1.9'],
    ['node', 'node'],
    [' a test ', 'a test'],
  ])('should return the program and version of %s', (userAgent, description) => {
    expect(describeUserAgent(userAgent)).toBe(description);
  });

  it.each([null, '', '  '])('should describe %j as unknown', (userAgent) => {
    expect(describeUserAgent(userAgent)).toBe('Unknown client');
  });
});
