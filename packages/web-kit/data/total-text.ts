/** Row count of a list as text: '1,204'; '10,000+' where the server stopped counting (`meta` of its answer). */
export function totalText({ total, total_is_exact }: { total: number; total_is_exact?: boolean | undefined }): string {
  return `${total.toLocaleString('en-US')}${total_is_exact === false ? '+' : ''}`;
}
