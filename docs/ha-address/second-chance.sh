#!/bin/sh
# second-chance.sh INTERFACE ADDRESS PEER PEER_MAC: has this edge send packets of connections that it does not know to the other edge, which may.
#
# ADDRESS is the shared one, PEER the other edge's own. Both edges hold ADDRESS on their loopback, so that what the other one sends is taken,
# and answer ARP for it only while keepalived has put it on INTERFACE.
set -eu
interface=$1 address=$2 peer=$3 peer_mac=$4

sysctl -q -w net.ipv4.conf.all.arp_ignore=1 net.ipv4.conf.all.arp_announce=2
sysctl -q -w net.ipv4.ip_forward=1 net.ipv4.conf.all.rp_filter=0 "net.ipv4.conf.$interface.rp_filter=0"
sysctl -q -w net.ipv4.conf.all.send_redirects=0 "net.ipv4.conf.$interface.send_redirects=0"
ip address replace "$address/32" dev lo

# A packet that opens no connection, and that no connection of this edge takes: only the listener, which has no address. What the other edge
# sent is not sent back.
nft -f - <<RULES
table inet second_chance
delete table inet second_chance
table inet second_chance {
  chain prerouting {
    type filter hook prerouting priority mangle; policy accept;
    ether saddr $peer_mac accept
    ip daddr $address tcp flags & (fin | syn | rst | ack) != syn socket wildcard 1 counter meta mark set 0x5c
  }
}
RULES

# Before the table of local addresses, which would take every packet to ADDRESS.
ip rule delete preference 10 2>/dev/null || true
ip rule add preference 10 fwmark 0x5c lookup 100
if ! ip rule list preference 20 | grep -q local; then
  ip rule add preference 20 lookup local
  ip rule delete preference 0
fi
ip route replace default via "$peer" dev "$interface" table 100
