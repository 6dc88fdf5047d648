module relay

go 1.24
